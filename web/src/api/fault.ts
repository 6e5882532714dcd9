import { text } from '../i18n/text.ts';

/** One field that the server rejected. */
export type FieldError = {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  /** Of a template's source; both count from 1. */
  readonly line?: number;
  readonly col?: number;
};

/** Why a call did not succeed, in the reader's words. `status` is 0 where no answer came. */
export class ApiFault extends Error {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly requestId: string | undefined;
  readonly errors: readonly FieldError[];
  /** What else the answer says, such as the challenge of a second factor or the conflicts of a merge. */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(fault: {
    readonly status: number;
    readonly code: string;
    readonly title: string;
    readonly message: string;
    readonly requestId?: string | undefined;
    readonly errors?: readonly FieldError[];
    readonly data?: Readonly<Record<string, unknown>>;
  }) {
    super(fault.message);
    this.status = fault.status;
    this.code = fault.code;
    this.title = fault.title;
    this.requestId = fault.requestId;
    this.errors = fault.errors ?? [];
    this.data = fault.data ?? {};
  }

  /** What the server says of one field of the input. */
  about(field: string): string | undefined {
    return this.errors.find(({ loc }) => loc.at(-1) === field)?.msg;
  }
}

export type Problem = Readonly<Record<string, unknown>> & {
  readonly status?: number;
  readonly code?: string;
  readonly title?: string;
  /** The routes of videos list what is wrong here, as their document says. */
  readonly detail?: string | readonly FieldError[];
  readonly request_id?: string;
  readonly errors?: readonly FieldError[];
};

/** The fault of an answer that is no success. */
export async function faultOf(response: Response): Promise<ApiFault> {
  // An answer of something between us and the server need not be JSON.
  const body: Problem = await response.json().catch(() => ({}));
  const requestId = body.request_id ?? response.headers.get('x-request-id') ?? undefined;
  return faultOfProblem({
    title: response.statusText,
    ...body,
    ...(requestId !== undefined && { request_id: requestId }),
    status: response.status,
  });
}

export function faultOfProblem(problem: Problem): ApiFault {
  const { detail = '' } = problem;
  const fields = typeof detail === 'string' ? undefined : detail;
  return new ApiFault({
    status: problem.status ?? 500,
    code: problem.code ?? (fields ? 'validation_failed' : 'internal'),
    title: fields ? text('fault.invalid.title') : (problem.title ?? ''),
    message: typeof detail === 'string' ? detail : detail.map(sentenceOf).join(' '),
    requestId: problem.request_id,
    errors: fields ?? problem.errors ?? [],
    data: problem,
  });
}

/** `duration: must be a number.`; what concerns the whole request is a sentence already. */
function sentenceOf({ loc, msg }: FieldError): string {
  const field = loc.slice(1).join('.');
  return field === '' || msg.endsWith('.') ? msg : `${field}: ${msg}.`;
}
