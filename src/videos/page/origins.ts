/** The start of an element's time. */
export type Origin = {
  /** Milliseconds of the video. */
  readonly start: number;
  /** Milliseconds from `start` to the end. */
  readonly length: number;
  /** Whether it is displayed. Hidden elements have no running animations. */
  readonly isShown: boolean;
};

export type Origins = {
  set(element: Element, origin: Origin): void;
  /** The origin of the element or its nearest ancestor that has one. */
  of(element: Element): Origin;
};

/** @param length milliseconds of the whole video */
export function createOrigins(length: number): Origins {
  const whole: Origin = { start: 0, length, isShown: true };
  const known = new WeakMap<Element, Origin>();
  return {
    set: (element, origin) => void known.set(element, origin),
    of(element) {
      for (let at: Element | null = element; at; at = at.parentElement) {
        const origin = known.get(at);
        if (origin) return origin;
      }
      return whole;
    },
  };
}
