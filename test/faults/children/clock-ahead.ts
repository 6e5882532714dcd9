/** Loaded before the product: every clock that its code reads is ahead by CLOCK_AHEAD_MS. */
const aheadMs = Number(process.env['CLOCK_AHEAD_MS']);

globalThis.Date = new Proxy(Date, {
  construct: (real, args, made) =>
    Reflect.construct(real, args.length > 0 ? args : [real.now() + aheadMs], made),
  apply: (real) => new real(real.now() + aheadMs).toString(),
  get: (real, name) => (name === 'now' ? () => real.now() + aheadMs : Reflect.get(real, name)),
});
