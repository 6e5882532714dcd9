/** A name every file system takes, without an extension. */
export function fileNameOf(template = 'mail'): string {
  const name = template.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replaceAll(/^[.-]+|[.-]+$/g, '');
  return name || 'mail';
}
