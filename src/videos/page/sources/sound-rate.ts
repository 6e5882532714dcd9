/** Samples a second, as every sound is mixed. Two of them, left and right, are called a moment. */
export const RATE = 48_000;
