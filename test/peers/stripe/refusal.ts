/** An error answer in Stripe's shape. `violation` marks a request no published schema allows. */
export class Refusal extends Error {
  readonly status: number;
  readonly error: Readonly<Record<string, unknown>>;
  readonly violation: boolean;

  constructor(status: number, error: Record<string, unknown> & { message: string }, violation = false) {
    super(error.message);
    this.status = status;
    this.error = { type: 'invalid_request_error', ...error };
    this.violation = violation;
  }
}

export function missing(kind: string, id: string, param = 'id', status = 404): Refusal {
  return new Refusal(status, { code: 'resource_missing', param, message: `No such ${kind}: '${id}'` });
}

/** A request that is well formed and means something Stripe will not do. */
export function refused(message: string, param?: string, code?: string): Refusal {
  return new Refusal(400, { message, ...(param && { param }), ...(code && { code }) });
}

/** A request that breaks the schema of its endpoint. */
export function malformed(code: string, param: string, message: string): Refusal {
  return new Refusal(400, { code, param, message }, true);
}

export function cardDeclined(): Refusal {
  return new Refusal(402, {
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'generic_decline',
    message: 'Your card was declined.',
  });
}
