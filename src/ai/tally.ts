import type { Tokens } from './model.ts';
import type { Usage } from './writer.ts';

/** US dollars for a million tokens, in and out, by model: what the operator set. */
export type Prices = Readonly<Record<string, readonly [number, number]>>;

export type Tally = {
  add(tokens: Tokens | undefined): void;
  /** The first of the names that has a price counts. */
  usage(models: readonly string[]): Usage;
};

/** Sums the tokens of the calls of one writing. */
export function createTally(prices: Prices): Tally {
  let input = 0;
  let output = 0;
  let complete = true;
  return {
    add(tokens) {
      if (!tokens) complete = false;
      input += tokens?.input ?? 0;
      output += tokens?.output ?? 0;
    },
    usage(models) {
      const price = models.filter((model) => Object.hasOwn(prices, model)).map((model) => prices[model])[0];
      const cost = price && complete ? (input * price[0] + output * price[1]) / 1_000_000 : null;
      return {
        input_tokens: input,
        output_tokens: output,
        // Sums of decimals: what is beyond a millionth of a cent is noise.
        cost_usd: cost === null ? null : Number(cost.toFixed(8)),
      };
    },
  };
}
