/** What the service says no with, as errors by its codes. */
export interface Detail {
    field: string;
    message: string;
    line?: number;
    column?: number;
}
export interface Facts {
    code: string;
    status: number;
    details: Detail[];
    meta: Record<string, unknown>;
    requestId: string;
    /** The seconds before another attempt, where there may be one. */
    wait: number | null;
}
/** A refusal; `code` says what happened, for programs. */
export declare class FileconvError extends Error implements Facts {
    readonly code: string;
    readonly status: number;
    readonly details: Detail[];
    readonly meta: Record<string, unknown>;
    readonly requestId: string;
    readonly wait: number | null;
    constructor(message: string, facts?: Partial<Facts>);
}
/** An option or a field that the service does not take; also a form without its file. */
export declare class Invalid extends FileconvError {
}
export declare class Unauthorized extends FileconvError {
}
export declare class PaymentRequired extends FileconvError {
}
export declare class Forbidden extends FileconvError {
}
export declare class NotFound extends FileconvError {
}
export declare class TooLarge extends FileconvError {
}
/** The file is not of its format, can't be read, or takes more work than is allowed. */
export declare class UnsupportedFormat extends FileconvError {
}
export declare class TooManyRequests extends FileconvError {
}
/** Something went wrong at the service. */
export declare class ServerError extends FileconvError {
}
/** Nobody answers at the address. */
export declare class Unreachable extends FileconvError {
}
/** The error that an answer stands for, whoever has written it: a proxy's has no code. */
export declare function errorOf(response: Response): Promise<FileconvError>;
