import type { ReactNode } from 'react';

type PartTabsProps<Part extends string> = {
  /** What the parts are of. */
  readonly label: string;
  /** Each part and what it is called. */
  readonly parts: readonly (readonly [Part, ReactNode])[];
  readonly part: Part;
  readonly setPart: (part: Part) => void;
  /** In a bar that has a line below it. */
  readonly isBare?: boolean;
};

/** Shows one part at a time: of a source, or on phones of an editor. */
export function PartTabs<Part extends string>({
  label,
  parts,
  part,
  setPart,
  isBare = false,
}: PartTabsProps<Part>) {
  return (
    <div className={isBare ? 'tabs bare' : 'tabs'} role="tablist" aria-label={label}>
      {parts.map(([one, name]) => (
        <button key={one} type="button" role="tab" aria-selected={part === one} onClick={() => setPart(one)}>
          {name}
        </button>
      ))}
    </div>
  );
}
