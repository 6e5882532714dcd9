/** US dollars for a million tokens, in and out. */
export type Price = readonly [number, number];
export type Prices = Readonly<Record<string, Price>>;

/** List prices of the default models and of well-known ones, as published in November 2026. `AI_PRICES` replaces and adds. */
export const LIST_PRICES: Prices = {
  'gpt-6-luna': [0.1, 0.5],
  'gpt-6-sol': [2, 10],
  'gpt-6-astra': [10, 50],
  'gpt-5.6-luna': [0.2, 1.2],
  'gpt-5.6-terra': [2, 12],
  'gpt-5.6-sol': [5, 30],
  'gpt-5': [1.25, 10],
  'gpt-5-mini': [0.25, 2],
  'gpt-5-nano': [0.05, 0.4],
  'gpt-4.1': [2, 8],
  'gpt-4.1-mini': [0.4, 1.6],
  'gpt-4.1-nano': [0.1, 0.4],
  'gpt-4o': [2.5, 10],
  'gpt-4o-mini': [0.15, 0.6],
  'claude-fable-5-1': [10, 50],
  'claude-opus-5-5': [4, 20],
  'claude-opus-5': [5, 25],
  'claude-opus-4-5': [5, 25],
  'claude-sonnet-5-5': [2, 10],
  'claude-sonnet-5': [2, 10],
  'claude-sonnet-4-5': [3, 15],
  'claude-haiku-4-5': [1, 5],
};

/** Counted against the ceilings for a model without a price: dearer than any of the list, so that the ceilings hold. */
export const UNKNOWN_PRICE: Price = [30, 180];

/** The price of a model, also by a dated name such as `claude-haiku-4-5-20251001`. */
export function findPrice(prices: Prices, model: string): Price | undefined {
  const undated = model.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, '');
  return [model, undated].filter((name) => Object.hasOwn(prices, name)).map((name) => prices[name])[0];
}
