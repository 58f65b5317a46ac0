/** The answers of the service, as scripts/types.mjs writes them of its OpenAPI document. */
export {};
