// What an agent does in one session, told in lines of JSON: `node story.mjs ADDRESS KEY`.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [address, key] = process.argv.slice(2);
const tell = (each) => console.log(JSON.stringify(each));
const connected = async (headers) => {
  const client = new Client({ name: "story", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${address}/mcp`), { requestInit: { headers } }));
  return client;
};
const client = await connected({ Authorization: `Bearer ${key}` });
const call = (name, args) => client.callTool({ name, arguments: args });

tell((await client.listTools()).tools.map((each) => each.name).sort());
tell((await call("describe", { slug: "json-to-csv" })).structuredContent.slug);
tell((await call("list_conversions", { query: "excel csv" })).content[0].text.includes("xlsx-to-csv:"));
const made = await call("convert", { slug: "json-to-csv", text: '[{"id": 1}]', options: { header: false } });
tell([made.content[0].text, made.structuredContent.credits]);
const drawn = await call("convert", { slug: "html-to-pdf", text: "<h1>Invoice</h1>", filename: "a.html" });
tell([drawn.content[0].type, drawn.content[0].mimeType]);
tell((await call("to_markdown", { text: "<h1>Invoice</h1>", filename: "a.html" })).content[0].text);
const failed = await call("convert", { slug: "json-to-csv", text: "[1," });
tell([failed.isError, failed.structuredContent.code]);
await client.close();

const stranger = await connected({ Authorization: "Bearer fc_nonsense" }).catch((error) => error);
tell([stranger instanceof Error, stranger.code]);
