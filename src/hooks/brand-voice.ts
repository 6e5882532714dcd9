/** How a brand sounds, as its owner described it. */
export type BrandVoice = {
  readonly name: string;
  readonly samples: readonly string[];
  readonly do: string;
  readonly avoid: string;
  readonly forbidden_words: readonly string[];
  readonly language: string | null;
};

/** The port to the voices of an account. */
export type BrandVoiceSource = {
  /** @throws Fault not_found.brand_voice */
  get(accountId: string, id: string): Promise<BrandVoice>;
};
