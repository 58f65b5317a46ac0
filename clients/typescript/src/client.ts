/** The client: converts one file at a time, using `fetch` only. */

import { errorOf, FileconvError, NotFound, Unreachable } from "./errors.js";
import type { ConversionRecord, DryRun, KeptRecord } from "./record.js";

export type Option = string | number | boolean | null | undefined;

/** The options of each conversion by slug: empty until `scripts/types.mjs` has generated those of a service. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface Conversions {}

export type Slug = keyof Conversions extends never ? string : keyof Conversions & string;
export type OptionsOf<S extends Slug> = S extends keyof Conversions ? Conversions[S] : { [name: string]: Option };

/** A file: a Blob, such as from a browser's file input or Node's `openAsBlob`, bytes, or a text. */
export type Source = Blob | ArrayBuffer | Uint8Array | string;

export interface Sending {
  /** The file's name if the source has none; its extension determines the format. */
  name?: string;
  /** Whether to convert the file once more and count what the result has of it, by kind; see `record.verified`. */
  verify?: boolean;
  signal?: AbortSignal;
  /** An id of 16 to 64 characters, new for each file, for `client.progress(id)`. */
  progressId?: string;
}

/** The progress of a conversion: `done` of `total` in `unit`, each null until the service knows it. */
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

const ATTEMPTS = 5;
const LONGEST_WAIT = 120;
const PASSING = new Set([429, 502, 503, 504]);

export class Client {
  readonly url: string;
  readonly #headers: Record<string, string>;

  /** Converts files with the service at `url`, as the owner of `key` or as a guest. */
  constructor(url = "http://127.0.0.1:8000", key?: string) {
    this.url = url.replace(/\/+$/, "");
    this.#headers = key === undefined ? {} : { Authorization: `Bearer ${key}` };
  }

  /** Convert a file to a format, such as `to: "pdf"`; its name determines its own format. Throws FileconvError. */
  async convert(source: Source, to: string, options: { [name: string]: Option } = {}, how: Sending = {}): Promise<Result> {
    const name = how.name ?? nameOf(source);
    const extension = extensionOf(name);
    if (extension === "") {
      throw new FileconvError(`${name || "The file"} has no extension: say its name, such as { name: "report.docx" }.`);
    }
    return this.#run(`${extension}-to-${to.toLowerCase().replace(/^\./, "")}`, source, options, { ...how, name });
  }

  /** Run a conversion by slug; its options are type-checked once `scripts/types.mjs` has generated their types. */
  async run<S extends Slug>(slug: S, source: Source, options?: OptionsOf<S>, how: Sending = {}): Promise<Result> {
    return this.#run(slug, source, (options ?? {}) as { [name: string]: Option }, how);
  }

  /** What a conversion would do; nothing is charged or stored. */
  async dryRun<S extends Slug>(slug: S, source: Source, options?: OptionsOf<S>, how: Sending = {}): Promise<DryRun> {
    const given = (options ?? {}) as { [name: string]: Option };
    return data<DryRun>(await this.#post(slug, source, given, how, "?dryRun=1"));
  }

  /** The progress of your conversion with this `progressId`; throws NotFound until its upload is complete. */
  async progress(id: string): Promise<Progress> {
    return data<Progress>(await this.#asked(`/api/v1/converter/progress/${encodeURIComponent(id)}`, {}));
  }

  /**
   * A page of the account's conversions, newest first: `{ page: 2, pageSize: 100, slug, status, name }`. This and the
   * next two need a key with the scope `read`; without it they throw Forbidden.
   */
  async conversions(filters: { [name: string]: Option } = {}): Promise<KeptRecord[]> {
    const given = Object.entries(filters).filter(([, value]) => value !== null && value !== undefined);
    const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    return data(await this.#asked(`/api/v1/converter/conversions?${query}`, {}));
  }

  /** The record of one conversion; throws NotFound for that of another account. */
  async conversion(id: string): Promise<KeptRecord> {
    return data(await this.#asked(`/api/v1/converter/conversions/${encodeURIComponent(id)}`, {}));
  }

  /** The signed receipt of one conversion, and the same as a JSON Web Signature. */
  async receipt(id: string): Promise<{ receipt: Record<string, unknown>; jws: string }> {
    return data(await this.#asked(`/api/v1/converter/conversions/${encodeURIComponent(id)}/receipt`, {}));
  }

  /** All formats and conversions of the service, with their options. */
  async formats(): Promise<{ formats: unknown[]; conversions: { slug: string; summary: string }[] }> {
    return data(await this.#asked("/api/v1/converter/formats", {}));
  }

  async #run(slug: string, source: Source, options: { [name: string]: Option }, how: Sending): Promise<Result> {
    const query = how.verify ? "?verify=1" : "";
    const record = await data<ConversionRecord>(await this.#post(slug, source, options, how, query));
    if (record.downloadUrl === null) {
      throw new NotFound("This was converted before, and its file has expired or was deleted.", { code: "NOT_FOUND" });
    }
    const file = await this.#asked(record.downloadUrl, how.signal ? { signal: how.signal } : {});
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (bytes.length !== record.outputBytes || (await sha256Of(bytes)) !== record.sha256) {
      const text = `The download has ${bytes.length} bytes and is not the result of ${record.outputBytes} bytes.`;
      throw new FileconvError(`${text} Try again.`);
    }
    return { bytes, name: record.outputName, contentType: record.contentType, warnings: record.warnings, record };
  }

  #post(
    slug: string,
    source: Source,
    options: { [name: string]: Option },
    how: Sending,
    query: string,
  ): Promise<Response> {
    const form = new FormData();
    const blob = source instanceof Blob ? source : new Blob([source as BlobPart]);
    form.append("file", blob, (how.name ?? nameOf(source)) || `input.${slug.split("-to-")[0]}`);
    for (const [name, value] of Object.entries(options)) {
      if (value !== null && value !== undefined) form.append(name, String(value));
    }
    // The same for every attempt, so that a repeated request is converted and charged only once.
    const headers: Record<string, string> = { "Idempotency-Key": crypto.randomUUID() };
    if (how.progressId !== undefined) headers["X-Progress-Id"] = how.progressId;
    const signal = how.signal ? { signal: how.signal } : {};
    return this.#asked(`/api/v1/converter/${slug}${query}`, { method: "POST", body: form, headers, ...signal });
  }

  async #asked(address: string, sent: RequestInit): Promise<Response> {
    for (let attempt = 1; ; attempt += 1) {
      let error: FileconvError;
      try {
        // A redirected POST would become a GET of something else: only downloads and lists follow redirects.
        const redirect = sent.method === "POST" ? "manual" : "follow";
        const headers = { ...this.#headers, ...sent.headers };
        const response = await fetch(this.url + address, { ...sent, headers, redirect });
        if (response.ok) return response;
        // Browsers show neither the status of a redirect nor where it leads.
        const moved = response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400);
        error = moved
          ? new FileconvError(`${this.url} redirects. Use the address it redirects to.`, { status: response.status })
          : await errorOf(response);
      } catch (lost) {
        if (sent.signal?.aborted) throw lost;
        error = new Unreachable(`${this.url} does not answer. Is the service running there?`);
      }
      const passing = error instanceof Unreachable || PASSING.has(error.status);
      const wait = error.wait ?? 0.5 * 2 ** attempt;
      if (!passing || attempt >= ATTEMPTS || wait > LONGEST_WAIT) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait * 1000));
    }
  }
}

async function data<T>(response: Response): Promise<T> {
  return ((await response.json()) as { data: T }).data;
}

async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((each) => each.toString(16).padStart(2, "0")).join("");
}

function nameOf(source: Source): string {
  return typeof File !== "undefined" && source instanceof File ? source.name : "";
}

/** The extension that names the format in a slug; for compressed files, the one before the last. */
function extensionOf(name: string): string {
  const parts = name.toLowerCase().split(".");
  if (parts.length > 2 && parts.at(-1) === "gz") return parts.at(-2) ?? "";
  return parts.length > 1 ? (parts.at(-1) ?? "") : "";
}
