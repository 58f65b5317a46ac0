export { Client } from "./client.js";
export type { Conversions, Option, OptionsOf, Progress, Result, Sending, Slug, Source } from "./client.js";
export * from "./errors.js";
export type { ConversionRecord, DryRun, KeptRecord } from "./record.js";
