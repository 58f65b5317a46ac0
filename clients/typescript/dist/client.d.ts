/** The client: converts one file at a time, using `fetch` only. */
import type { ConversionRecord, DryRun, KeptRecord } from "./record.js";
export type Option = string | number | boolean | null | undefined;
/** The options of each conversion by slug: empty until `scripts/types.mjs` has generated those of a service. */
export interface Conversions {
}
export type Slug = keyof Conversions extends never ? string : keyof Conversions & string;
export type OptionsOf<S extends Slug> = S extends keyof Conversions ? Conversions[S] : {
    [name: string]: Option;
};
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
export declare class Client {
    #private;
    readonly url: string;
    /** Converts files with the service at `url`, as the owner of `key` or as a guest. */
    constructor(url?: string, key?: string);
    /** Convert a file to a format, such as `to: "pdf"`; its name determines its own format. Throws FileconvError. */
    convert(source: Source, to: string, options?: {
        [name: string]: Option;
    }, how?: Sending): Promise<Result>;
    /** Run a conversion by slug; its options are type-checked once `scripts/types.mjs` has generated their types. */
    run<S extends Slug>(slug: S, source: Source, options?: OptionsOf<S>, how?: Sending): Promise<Result>;
    /** What a conversion would do; nothing is charged or stored. */
    dryRun<S extends Slug>(slug: S, source: Source, options?: OptionsOf<S>, how?: Sending): Promise<DryRun>;
    /** The progress of your conversion with this `progressId`; throws NotFound until its upload is complete. */
    progress(id: string): Promise<Progress>;
    /**
     * A page of the account's conversions, newest first: `{ page: 2, pageSize: 100, slug, status, name }`. This and the
     * next two need a key with the scope `read`; without it they throw Forbidden.
     */
    conversions(filters?: {
        [name: string]: Option;
    }): Promise<KeptRecord[]>;
    /** The record of one conversion; throws NotFound for that of another account. */
    conversion(id: string): Promise<KeptRecord>;
    /** The signed receipt of one conversion, and the same as a JSON Web Signature. */
    receipt(id: string): Promise<{
        receipt: Record<string, unknown>;
        jws: string;
    }>;
    /** All formats and conversions of the service, with their options. */
    formats(): Promise<{
        formats: unknown[];
        conversions: {
            slug: string;
            summary: string;
        }[];
    }>;
}
