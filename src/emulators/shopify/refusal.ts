import { GraphQLError } from 'graphql';

/** A refusal of the whole request, as the service words it: it stands in `errors`, not in `userErrors`. */
export function refusal(
  code: string,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): GraphQLError {
  return new GraphQLError(message, { extensions: { code, ...details } });
}

/** The arrays of an input are limited. @throws GraphQLError MAX_INPUT_SIZE_EXCEEDED */
export function refuseLong(list: readonly unknown[], most: number): void {
  if (list.length <= most) return;
  throw refusal(
    'MAX_INPUT_SIZE_EXCEEDED',
    `The input array size of ${list.length} is greater than the maximum allowed of ${most}.`,
  );
}

/** @throws GraphQLError where the text is no global id, or one of another kind. */
export function refuseForeignId(id: string, kind: string): void {
  if (id.startsWith(`gid://shopify/${kind}/`)) return;
  throw refusal('INVALID_VARIABLE', `Invalid global id '${id}'`);
}
