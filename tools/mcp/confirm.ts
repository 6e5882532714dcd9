import {
  type ClientCapabilities,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { App } from '../../src/app.ts';
import type { ConfirmationKind, Waiting } from '../../src/confirmations/confirmations.ts';
import { Fault } from '../../src/errors.ts';
import { type Locale, localizeQuestion } from '../../src/language.ts';
import { AskedFirst } from '../contract/asked-first.ts';
import type { Call } from '../contract/define.ts';
import { type Asked, agrees, CONFIRMATION, type Question } from '../contract/require-confirmed.ts';
import type { Visit } from './call.ts';

/** Thrown when a person must answer first: the client repeats the call with their answer. */
export class InputNeeded extends AskedFirst {
  readonly result: InputRequiredResult;

  constructor(result: InputRequiredResult) {
    super('A person is asked first.');
    this.result = result;
  }
}

/** How a client can ask the person who uses it. */
export type Reach = { readonly form: boolean; readonly url: boolean };

export function reachOf({ elicitation }: ClientCapabilities): Reach {
  // Without either, it is a form: there was nothing else at first.
  return {
    form: elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined),
    url: elicitation?.url !== undefined,
  };
}

/** Keys of what the client is asked for. */
const CONFIRM = 'confirm';
const PAGE = 'page';

/**
 * Asks the person whether a call may take effect: by a form where the client shows one, which the model neither sees nor
 * answers. Elsewhere the call is refused with what it would change and an id that the next call must carry: weaker, since it
 * is up to the client to show that call to the person.
 */
export function createAsking(
  { confirmations }: Pick<App, 'confirmations'>,
  { caller, locale }: Visit,
  ctx: ServerContext,
  reach: Reach,
): NonNullable<Call['ask']> {
  const { accountId, actor } = caller;
  const waitingOf = ({ tool, input, question: { key, params, shown } }: Asked): Waiting => {
    return { accountId, actor, tool: tool.name, input, change: { key, params, shown } };
  };
  /** Whether the answer is about what the call changes by now. @throws Fault confirmation_required */
  const isAbout = async (kind: ConfirmationKind, id: string | undefined, asked: Asked) => {
    const used = id === undefined ? undefined : await confirmations.use(kind, id, waitingOf(asked));
    if (!used) throw new Fault('confirmation_required.not_valid', { tool: asked.tool.name });
    return used === 'same';
  };

  const askByForm = async (asked: Asked) => {
    const answer = ctx.mcpReq.inputResponses?.[CONFIRM];
    if (answer !== undefined) {
      const current = await isAbout('asked', stateOf(ctx), asked);
      if (!agrees(answer)) throw new Fault('confirmation_required.declined', { tool: asked.tool.name });
      if (current) return;
    }
    const inputRequests = { [CONFIRM]: formOf(asked.question, locale) };
    const requestState = await confirmations.open('asked', waitingOf(asked));
    throw new InputNeeded(inputRequired({ inputRequests, requestState }));
  };

  const askByModel = async (asked: Asked) => {
    const { tool, question, confirmation } = asked;
    if (question.named) return;
    if (confirmation !== undefined && (await isAbout('carried', confirmation, asked))) return;
    const next = await confirmations.open('carried', waitingOf(asked));
    const shown = question.shown === undefined ? {} : { changes: question.shown };
    const told = { tool: tool.name, argument: CONFIRMATION, confirmation: next };
    const data = { would_change: sentenceOf(question, locale), ...shown };
    throw new Fault('confirmation_required.call', told, { data });
  };

  return reach.form ? askByForm : askByModel;
}

/** What the client carries between the two rounds of a call. */
function stateOf(ctx: ServerContext): string | undefined {
  const state: unknown = ctx.mcpReq.requestState();
  return typeof state === 'string' ? state : undefined;
}

/** The form that puts a question to the person. */
export function formOf(question: Question, locale: Locale): InputRequest {
  const { shown } = question;
  const lines = typeof shown === 'object' ? JSON.stringify(shown, null, 1) : shown;
  return inputRequired.elicit({
    message: [sentenceOf(question, locale), ...(lines === undefined ? [] : [lines])].join('\n\n'),
    requestedSchema: {
      type: 'object',
      properties: { confirm: { type: 'boolean', title: localizeQuestion('yes', {}, locale) } },
      required: ['confirm'],
    },
  });
}

/** One line, whatever a name has in it. */
function sentenceOf({ key, params = {} }: Question, locale: Locale): string {
  const plain = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 120) : value,
  ]);
  return localizeQuestion(key, Object.fromEntries(plain), locale);
}

/**
 * The refusal of what only a person may do. Where the client opens pages, it offers the page to the person, and the model
 * never gets its address.
 * @throws InputNeeded
 */
export function offerPage(fault: Fault, locale: Locale, ctx: ServerContext, reach: Reach): Fault {
  const { url } = fault.data;
  if (fault.code !== 'person_required' || !reach.url || typeof url !== 'string') return fault;
  const told = { tool: fault.params['tool'] ?? '' };
  const answer = ctx.mcpReq.inputResponses?.[PAGE];
  if (answer === undefined) {
    const ask = inputRequired.elicitUrl({ message: localizeQuestion('page', told, locale), url });
    throw new InputNeeded(inputRequired({ inputRequests: { [PAGE]: ask } }));
  }
  const opened = z.object({ action: z.literal('accept') }).safeParse(answer).success;
  return new Fault(opened ? 'person_required.opened' : 'person_required.declined', told);
}
