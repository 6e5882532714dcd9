import type en from '../locales/en.json';

/** Every error code: its HTTP status, and whether a retry may succeed. */
export const FAULTS = {
  validation_failed: { status: 422, retry: false },
  invalid_json: { status: 400, retry: false },
  bad_request: { status: 400, retry: false },
  template_invalid: { status: 422, retry: false },
  template_too_complex: { status: 422, retry: false },
  unsafe_context: { status: 422, retry: false },
  render_limit: { status: 422, retry: false },
  video_failed: { status: 422, retry: false },
  script_failed: { status: 422, retry: false },
  type_mismatch: { status: 422, retry: false },
  missing_variables: { status: 422, retry: false },
  idempotency_mismatch: { status: 422, retry: false },
  idempotency_in_progress: { status: 409, retry: true },
  unauthenticated: { status: 401, retry: false },
  token_expired: { status: 401, retry: false },
  second_factor_required: { status: 401, retry: false },
  invalid_signature: { status: 400, retry: false },
  topic_required: { status: 422, retry: false },
  api_key_required: { status: 422, retry: false },
  provider_key_rejected: { status: 422, retry: false },
  quota_exhausted: { status: 402, retry: false },
  ai_budget_exhausted: { status: 402, retry: false },
  subscription_past_due: { status: 402, retry: false },
  forbidden: { status: 403, retry: false },
  insufficient_scope: { status: 403, retry: false },
  reauthentication_required: { status: 403, retry: false },
  person_required: { status: 403, retry: false },
  account_deleted: { status: 403, retry: false },
  sign_up_closed: { status: 403, retry: false },
  ip_not_allowed: { status: 403, retry: false },
  plan_required: { status: 403, retry: false },
  plan_limit: { status: 403, retry: false },
  not_found: { status: 404, retry: false },
  method_not_allowed: { status: 405, retry: false },
  conflict: { status: 409, retry: false },
  built_in: { status: 409, retry: false },
  name_taken: { status: 409, retry: false },
  version_exists: { status: 409, retry: false },
  head_moved: { status: 409, retry: false },
  merge_conflict: { status: 409, retry: false },
  already_subscribed: { status: 409, retry: false },
  confirmation_required: { status: 409, retry: false },
  breaking_change: { status: 409, retry: false },
  precondition_failed: { status: 412, retry: false },
  too_large: { status: 413, retry: false },
  unsupported_media_type: { status: 415, retry: false },
  sync_running: { status: 409, retry: true },
  store_unauthorized: { status: 422, retry: false },
  store_frozen: { status: 422, retry: false },
  store_not_found: { status: 422, retry: false },
  store_unavailable: { status: 502, retry: true },
  store_refused: { status: 422, retry: false },
  sheet_unauthorized: { status: 422, retry: false },
  sheet_forbidden: { status: 422, retry: false },
  sheet_not_found: { status: 422, retry: false },
  sheet_unavailable: { status: 502, retry: true },
  sheet_refused: { status: 422, retry: false },
  consent_failed: { status: 422, retry: false },
  rate_limited: { status: 429, retry: true },
  anonymous_limit: { status: 429, retry: false },
  not_configured: { status: 503, retry: false },
  billing_not_configured: { status: 503, retry: false },
  upstream_failed: { status: 502, retry: true },
  provider_auth: { status: 502, retry: false },
  provider_billing: { status: 502, retry: false },
  model_not_found: { status: 422, retry: false },
  model_not_allowed: { status: 422, retry: false },
  topic_refused: { status: 422, retry: false },
  provider_rate_limited: { status: 503, retry: true },
  provider_unavailable: { status: 502, retry: true },
  provider_timeout: { status: 504, retry: true },
  provider_bad_output: { status: 502, retry: true },
  unavailable: { status: 503, retry: true },
  internal: { status: 500, retry: true },
} as const satisfies Record<string, { status: number; retry: boolean }>;

export type FaultCode = keyof typeof FAULTS;

/** Key of a sentence in `faults` of the locales; the part before the dot is the fault's code. */
export type FaultKey = keyof typeof en.faults;

/** Key of a sentence in `issues` of the locales. */
export type IssueKey = keyof typeof en.issues;

export type FaultParams = Readonly<Record<string, string | number>>;

/** One invalid place in the input. `msg` is already in the caller's language; `key` and `issue` are localized later. */
export type FaultDetail = {
  readonly loc: readonly (string | number)[];
  readonly line?: number;
  readonly col?: number;
} & (
  | { readonly type: string; readonly msg: string }
  | { readonly type: string; readonly issue: IssueKey; readonly params?: FaultParams }
  | { readonly key: FaultKey; readonly params?: FaultParams }
);

type FaultOptions = {
  /** The invalid places, in the order of the input. */
  readonly errors?: readonly FaultDetail[];
  /** Fields added to the error response, such as a merge token. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
};

/** An error for the caller: thrown where the cause is known, localized only by the transport. */
export class Fault extends Error {
  readonly key: FaultKey;
  readonly params: FaultParams;
  readonly errors: readonly FaultDetail[];
  readonly data: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | undefined;

  constructor(key: FaultKey, params: FaultParams = {}, options: FaultOptions = {}) {
    super(`${key} ${JSON.stringify(params)}`, { cause: options.cause });
    this.name = 'Fault';
    this.key = key;
    this.params = params;
    this.errors = options.errors ?? [];
    this.data = options.data ?? {};
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get code(): FaultCode {
    // A test verifies that every key of the locales has the form code, dot, case.
    return this.key.slice(0, this.key.indexOf('.')) as FaultCode;
  }

  get status(): number {
    return FAULTS[this.code].status;
  }
}
