const LENGTH = 100;

/** The nearest name a template can have: `Order #12 / paid!` → `Order-12-paid`. */
export function templateName(wanted: string): string {
  const inner = wanted.normalize('NFC').replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{M}\p{N}._-]+$/gu, '');
  const plain = inner.replace(/ *[^\p{L}\p{M}\p{N} ._-]+ */gu, '-');
  return ended([...plain].slice(0, LENGTH).join('')) || 'template';
}

/** `welcome-2`, `welcome-3`…: the first that is free. */
export async function freeName(
  name: string,
  isTaken: (name: string) => boolean | Promise<boolean>,
): Promise<string> {
  for (let number = 2; ; number++) {
    const suffix = `-${number}`;
    const candidate = ended([...name].slice(0, LENGTH - suffix.length).join('')) + suffix;
    if (!(await isTaken(candidate))) return candidate;
  }
}

function ended(name: string): string {
  return name.replace(/[^\p{L}\p{M}\p{N}._-]+$/u, '');
}
