/** The client: one file in, the converted one out, by `fetch` alone. */
import type { ConversionRecord, DryRun } from "./record.js";
export type Option = string | number | boolean | null | undefined;
/** The options of each conversion by its slug: empty until `scripts/types.mjs` has written those of a service. */
export interface Conversions {
}
export type Slug = keyof Conversions extends never ? string : keyof Conversions & string;
export type OptionsOf<S extends Slug> = S extends keyof Conversions ? Conversions[S] : {
    [name: string]: Option;
};
/** A file: what a browser's input gives, what Node's `openAsBlob` gives, or bytes, or a text. */
export type Source = Blob | ArrayBuffer | Uint8Array | string;
export interface Sending {
    /** The file's name where the source has none: its extension tells the format. */
    name?: string;
    /** Has the file converted once more, to count by kind what the result has of it; see `record.verified`. */
    verify?: boolean;
    signal?: AbortSignal;
    /** 16 to 64 characters of your own, new for each file: `client.progress(id)` tells meanwhile how far it is. */
    progressId?: string;
}
/** How far a conversion is: `done` of `total` in `unit`, each null until the service knows it. */
export interface Progress {
    readonly state: "working" | "done" | "failed";
    readonly done: number | null;
    readonly total: number | null;
    readonly unit: string | null;
}
export interface Result {
    readonly bytes: Uint8Array<ArrayBuffer>;
    readonly name: string;
    readonly contentType: string;
    readonly warnings: ConversionRecord["warnings"];
    readonly record: ConversionRecord;
}
export declare class Client {
    #private;
    readonly url: string;
    /** Converts by the service at `url`, as the owner of `key` or as a guest. */
    constructor(url?: string, key?: string);
    /** Convert a file to a format, such as `to: "pdf"`; the file's name tells what it is. Throws FileconvError. */
    convert(source: Source, to: string, options?: {
        [name: string]: Option;
    }, how?: Sending): Promise<Result>;
    /** Do one conversion by its slug, with options that are checked where `scripts/types.mjs` has written their types. */
    run<S extends Slug>(slug: S, source: Source, options?: OptionsOf<S>, how?: Sending): Promise<Result>;
    /** What a conversion would do; it charges and keeps nothing. */
    dryRun<S extends Slug>(slug: S, source: Source, options?: OptionsOf<S>, how?: Sending): Promise<DryRun>;
    /** How far a conversion of yours is that was sent with this `progressId`; throws NotFound until its upload is complete. */
    progress(id: string): Promise<Progress>;
    /** All formats and conversions of the service, with their options. */
    formats(): Promise<{
        formats: unknown[];
        conversions: {
            slug: string;
            summary: string;
        }[];
    }>;
}
