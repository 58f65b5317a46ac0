/** The errors of the service, by error code. */
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
    /** The seconds to wait before a retry, if one makes sense. */
    wait: number | null;
}
/** An error from the service; `code` identifies it for programs. */
export declare class FileconvError extends Error implements Facts {
    readonly code: string;
    readonly status: number;
    readonly details: Detail[];
    readonly meta: Record<string, unknown>;
    readonly requestId: string;
    readonly wait: number | null;
    constructor(message: string, facts?: Partial<Facts>);
}
/** An option or field is invalid, or the file is missing. */
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
/** The file is not of its format, can't be read, or exceeds a limit. */
export declare class UnsupportedFormat extends FileconvError {
}
export declare class TooManyRequests extends FileconvError {
}
/** An internal error of the service. */
export declare class ServerError extends FileconvError {
}
/** There was no answer from the address. */
export declare class Unreachable extends FileconvError {
}
/** The error for an answer, whoever sent it: one from a proxy has no code. */
export declare function errorOf(response: Response): Promise<FileconvError>;
