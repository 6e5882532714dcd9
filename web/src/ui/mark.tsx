/** The sign of the product: an awning over a counter. */
export function Mark({ size = 24 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M2 3.5h6.67v8.4a3.33 3.33 0 0 1-6.67 0z" fill="var(--mg)" />
      <path d="M8.67 3.5h6.66v8.4a3.33 3.33 0 0 1-6.66 0z" fill="var(--ink)" />
      <path d="M15.33 3.5H22v8.4a3.33 3.33 0 0 1-6.67 0z" fill="var(--mg)" />
      <path d="M3.4 18.4h17.2v2.2H3.4z" fill="var(--ink)" />
    </svg>
  );
}
