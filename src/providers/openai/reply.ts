import { z } from 'zod';
import type { Reply, Tokens } from '../../ai/model.ts';

const Usage = z.object({ prompt_tokens: z.number(), completion_tokens: z.number() });
type Usage = z.output<typeof Usage>;

/** What is read of a completion. The SDK does not check it, and not every server is OpenAI. */
const Completion = z.object({
  model: z.string().max(200).optional().catch(undefined),
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
  usage: Usage.optional().catch(undefined),
});

/** What is read of a piece of a stream; what is of another form is passed over. */
const Chunk = z.object({
  model: z.string().max(200).optional().catch(undefined),
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        delta: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }).nullish(),
      }),
    )
    .nullish(),
  usage: Usage.optional().catch(undefined),
});

/** Reads an answer that came in one piece. */
export function readCompletion(completion: unknown, asked: string): Reply {
  const read = Completion.safeParse(completion).data;
  const choice = read?.choices[0];
  if (!read || !choice) return { state: 'failed', trouble: { is: 'address', about: 'no chat completion' } };
  const { message, finish_reason } = choice;
  return {
    state: 'answered',
    text: message.content ?? '',
    end: message.refusal ? 'refused' : endOf(finish_reason),
    model: read.model || asked,
    tokens: tokensOf(read.usage),
  };
}

/** Reads a stream to its end. Rejects as the stream does. */
export async function readStream(
  stream: AsyncIterable<unknown>,
  onText: (piece: string) => void,
  asked: string,
): Promise<Reply> {
  let text = '';
  let refused = false;
  let finish: string | undefined;
  let model = '';
  let usage: Usage | undefined;
  for await (const sent of stream) {
    const chunk = Chunk.safeParse(sent).data;
    if (!chunk) continue;
    const choice = chunk.choices?.[0];
    const piece = choice?.delta?.content;
    if (piece) {
      text += piece;
      onText(piece);
    }
    refused ||= Boolean(choice?.delta?.refusal);
    finish = choice?.finish_reason ?? finish;
    model ||= chunk.model ?? '';
    usage = chunk.usage ?? usage;
  }
  // A server that goes away politely leaves no error, only a missing end.
  if (!finish) return { state: 'failed', trouble: { is: 'down', about: 'the stream has no end' } };
  const end = refused ? 'refused' : endOf(finish);
  return { state: 'answered', text, end, model: model || asked, tokens: tokensOf(usage) };
}

function endOf(finish: string | null | undefined): 'done' | 'cut' | 'refused' {
  if (finish === 'length') return 'cut';
  return finish === 'content_filter' ? 'refused' : 'done';
}

function tokensOf(usage: Usage | undefined): Tokens | undefined {
  return usage && { input: usage.prompt_tokens, output: usage.completion_tokens };
}
