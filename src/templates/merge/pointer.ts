/** The place of a member as in a JSON pointer (RFC 6901), without the slash at the front. */
export function toPointer(path: readonly string[]): string {
  return path.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
}

export function fromPointer(pointer: string): string[] {
  return pointer.split('/').map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}
