/** The errors of the service, by error code. */
/** An error from the service; `code` identifies it for programs. */
export class FileconvError extends Error {
    code;
    status;
    details;
    meta;
    requestId;
    wait;
    constructor(message, facts = {}) {
        super(message);
        this.name = new.target.name;
        this.code = facts.code ?? "";
        this.status = facts.status ?? 0;
        this.details = facts.details ?? [];
        this.meta = facts.meta ?? {};
        this.requestId = facts.requestId ?? "";
        this.wait = facts.wait ?? null;
    }
}
/** An option or field is invalid, or the file is missing. */
export class Invalid extends FileconvError {
}
export class Unauthorized extends FileconvError {
}
export class PaymentRequired extends FileconvError {
}
export class Forbidden extends FileconvError {
}
export class NotFound extends FileconvError {
}
export class TooLarge extends FileconvError {
}
/** The file is not of its format, can't be read, or exceeds a limit. */
export class UnsupportedFormat extends FileconvError {
}
export class TooManyRequests extends FileconvError {
}
/** An internal error of the service. */
export class ServerError extends FileconvError {
}
/** There was no answer from the address. */
export class Unreachable extends FileconvError {
}
const KINDS = {
    400: Invalid,
    401: Unauthorized,
    402: PaymentRequired,
    403: Forbidden,
    404: NotFound,
    413: TooLarge,
    422: UnsupportedFormat,
    429: TooManyRequests,
};
/** The error for an answer, whoever sent it: one from a proxy has no code. */
export async function errorOf(response) {
    const body = (await response.json().catch(() => ({})));
    const seconds = Number(response.headers.get("Retry-After") ?? NaN);
    const Kind = KINDS[response.status] ?? (response.status >= 500 ? ServerError : FileconvError);
    return new Kind(body.message ?? `The service answered ${response.status}.`, {
        ...body,
        status: response.status,
        wait: Number.isFinite(seconds) ? seconds : null,
    });
}
