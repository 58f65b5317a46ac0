#!/usr/bin/env node
/**
 * Types from the OpenAPI document of a service: `node types.mjs https://convert.example > fileconv.d.ts` writes
 * the options of all its conversions, which the client then checks; with `--records` those of its answers, `src/record.ts`.
 */

import { readFile } from "node:fs/promises";

const KINDS = { integer: "number", number: "number", boolean: "boolean", string: "string", null: "null" };
const RECORDS = { ConversionRecord: "CompletedConversion", DryRun: "DryRun" };

async function read(from) {
  if (!/^https?:/.test(from)) return JSON.parse(await readFile(from, "utf8"));
  const response = await fetch(`${from.replace(/\/+$/, "")}/api/v1/schema`);
  if (!response.ok) throw new Error(`${from} answered ${response.status}.`);
  return response.json();
}

/** A JSON schema as a type; each reference is written out where it stands. */
function typeOf(schema, components) {
  if (schema.$ref) return typeOf(components[schema.$ref.split("/").at(-1)], components);
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(" | ");
  for (const many of [schema.anyOf, schema.oneOf]) {
    if (many) return [...new Set(many.map((each) => typeOf(each, components)))].join(" | ");
  }
  if (schema.allOf?.length === 1) return typeOf(schema.allOf[0], components);
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => typeOf({ ...schema, type }, components)).join(" | ");
  }
  if (schema.type === "array") return `(${typeOf(schema.items ?? {}, components)})[]`;
  if (schema.type === "object" && schema.properties) return `{ ${members(schema, components).join(" ")} }`;
  if (schema.type === "object") return "Record<string, unknown>";
  return KINDS[schema.type] ?? "unknown";
}

function members(schema, components, { optional = false, skip = [] } = {}) {
  const required = new Set(optional ? [] : schema.required);
  return Object.entries(schema.properties ?? {})
    .filter(([name]) => !skip.includes(name))
    .map(([name, each]) => `${JSON.stringify(name)}${required.has(name) ? "" : "?"}: ${typeOf(each, components)};`);
}

function conversions({ paths, components: { schemas } }) {
  const lines = [];
  for (const [path, { post }] of Object.entries(paths)) {
    const form = post?.requestBody?.content?.["multipart/form-data"]?.schema;
    if (!path.includes("/converter/") || !form) continue;
    const schema = form.$ref ? schemas[form.$ref.split("/").at(-1)] : form;
    const options = members(schema, schemas, { optional: true, skip: ["file"] });
    lines.push(`    ${JSON.stringify(path.split("/").at(-1))}: { ${options.join(" ")} };`);
  }
  return ['import "fileconv-service-client";', "", 'declare module "fileconv-service-client" {', "  interface Conversions {", ...lines, "  }", "}"];
}

function records({ components: { schemas } }) {
  const lines = ["/** The answers of the service, as scripts/types.mjs writes them of its OpenAPI document. */"];
  for (const [name, component] of Object.entries(RECORDS)) {
    lines.push("", `export interface ${name} {`, ...members(schemas[component], schemas).map((each) => `  ${each}`), "}");
  }
  return lines;
}

const [from, kind] = process.argv.slice(2);
if (!from) {
  console.error("usage: node types.mjs <address of the service, or file with its OpenAPI document> [--records]");
  process.exit(2);
}
const document = await read(from);
console.log((kind === "--records" ? records : conversions)(document).join("\n"));
