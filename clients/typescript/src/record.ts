/** The answers of the service, as scripts/types.mjs writes them of its OpenAPI document. */

export interface ConversionRecord {
  "id": string;
  "slug": string;
  "status": "completed" | "failed";
  "inputName": string;
  "inputBytes": number;
  "outputName": string;
  "outputBytes": number;
  "contentType": string;
  "sha256": string;
  "options": Record<string, unknown>;
  "detected": Record<string, unknown>;
  "engine"?: string;
  "warnings": ({ "code": string; "message": string; })[];
  "credits"?: number;
  "durationMs": number;
  "createdAt": string;
  "expiresAt": string;
  "downloadUrl": string | null;
  "verified"?: { "ok": boolean | null; "compared": string; "differences": (string)[]; };
  "madeBy"?: string;
  "fileExpired"?: boolean;
}

export interface DryRun {
  "slug": string;
  "dryRun": boolean;
  "inputName": string;
  "inputBytes": number;
  "detected": { "format": string; "version"?: string; };
  "options": Record<string, unknown>;
  "engine": string;
  "credits": number;
  "predictedSeconds": number;
  "warnings": ({ "code": string; "message": string; })[];
  "complete": boolean;
  "outputBytes"?: number;
}
