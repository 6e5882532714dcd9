import { z } from 'zod';

/** Rate limit of one kind of call: a token bucket of `burst` that refills with `perSecond`. */
export const Rate = z.object({
  perSecond: z.number().positive().max(1e6),
  burst: z.int().positive().max(1e6),
});
export type Rate = z.output<typeof Rate>;

/** Default limits by kind of call, per account; the last five, and variant, per address. */
export const RATES = {
  read: { perSecond: 120, burst: 240 },
  write: { perSecond: 20, burst: 200 },
  generate: { perSecond: 20 / 60, burst: 20 },
  sync: { perSecond: 10 / 60, burst: 10 },
  variant: { perSecond: 2, burst: 60 },
  frame: { perSecond: 5, burst: 10 },
  anonymous_generate: { perSecond: 5 / 60, burst: 5 },
  sign_in: { perSecond: 5 / 60, burst: 5 },
  connect: { perSecond: 10 / 60, burst: 20 },
  public: { perSecond: 20, burst: 60 },
  webhook: { perSecond: 100, burst: 2000 },
} as const satisfies Record<string, Rate>;

export type RateName = keyof typeof RATES;

// Object.keys is typed string[].
export const RATE_NAMES = Object.keys(RATES) as RateName[];

export type Rates = Readonly<Record<RateName, Rate>>;
