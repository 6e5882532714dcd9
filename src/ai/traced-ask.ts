import type { Tracing } from '../platform/tracing/tracing.ts';
import type { Ask } from './model.ts';
import type { ProviderId } from './providers.ts';

/**
 * The same `ask`; each request is a span as OpenTelemetry describes calls of models, without what is said in them. With a key of
 * their own, callers may name any model, so only names that the server knows are told.
 */
export function tracedAsk(
  ask: Ask,
  provider: ProviderId,
  { tracing, knows }: { readonly tracing: Tracing; readonly knows: (model: string) => boolean },
): Ask {
  return (question) => {
    const { maxTokens, form } = question;
    const isKnown = knows(question.model);
    const model = isKnown ? question.model : undefined;
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': model,
      'gen_ai.request.max_tokens': maxTokens,
      'gen_ai.output.type': form.is === 'text' ? 'text' : 'json',
    };
    return tracing.span(
      model === undefined ? 'chat' : `chat ${model}`,
      { kind: 'client', attributes },
      async (span) => {
        const reply = await ask(question);
        if (reply.state === 'failed') {
          span.fail(reply.failure.is);
          return reply;
        }
        span.set({
          'gen_ai.response.model': isKnown ? reply.model : undefined,
          'gen_ai.usage.input_tokens': reply.tokens?.input,
          'gen_ai.usage.output_tokens': reply.tokens?.output,
        });
        return reply;
      },
    );
  };
}
