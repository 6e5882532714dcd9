/** Which question the card asks. */
export type Step =
  | { readonly at: 'password' }
  | { readonly at: 'code'; readonly email: string }
  | { readonly at: 'second_factor'; readonly challenge: string };
