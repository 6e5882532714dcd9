const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
};

/** An error as the service answers it. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
  }

  get body(): unknown {
    const { status: code, message } = this;
    return { error: { code, message, status: STATUS_NAMES[code] ?? 'INTERNAL' } };
  }
}

export const invalid = (message: string) => new Refusal(400, message);
