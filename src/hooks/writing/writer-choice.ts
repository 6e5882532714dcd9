import type { Writer, Writers } from '../../ai/writer.ts';
import { Fault } from '../../errors.ts';
import type { HookRequest, ProviderChoice } from './request.ts';

/** Who writes the hooks of a request; `name` is the one on the wire. */
export type Source =
  | { readonly kind: 'builtin'; readonly name: 'builtin' }
  | {
      readonly kind: 'model';
      readonly name: 'provider_a' | 'provider_b';
      readonly writer: Writer;
      readonly ownKey: boolean;
    };

type Parts = { readonly writers: Writers; readonly defaultProvider: ProviderChoice | undefined };

/** The one asked for, else the operator's choice, else the first that is set up. @throws Fault api_key_required */
export function chooseSource(
  { writers, defaultProvider }: Parts,
  { provider, apiKey }: Pick<HookRequest, 'provider' | 'apiKey'>,
): Source {
  const asked = provider ?? defaultProvider;
  if (asked === 'builtin') return { kind: 'builtin', name: 'builtin' };
  const ownKey = apiKey !== undefined && apiKey !== '';
  // With a key of one's own and no name, the client's default.
  const named = asked ?? (ownKey ? 'provider_a' : undefined);
  if (!ownKey && !writers.isReady(named)) throw noKey(named);
  const writer = writers.choose(named, ownKey ? { apiKey } : undefined);
  return {
    kind: 'model',
    name: writer.provider === 'openai' ? 'provider_a' : 'provider_b',
    writer,
    ownKey,
  };
}

function noKey(provider: Exclude<ProviderChoice, 'builtin'> | undefined): Fault {
  const isB = provider === 'provider_b' || provider === 'anthropic';
  return new Fault(
    'api_key_required.provider',
    isB
      ? { provider: 'Anthropic', setting: 'ANTHROPIC_API_KEY' }
      : { provider: 'OpenAI', setting: 'OPENAI_API_KEY' },
  );
}
