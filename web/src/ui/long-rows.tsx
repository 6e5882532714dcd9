import { memo, type ReactNode, useEffect, useRef, useState } from 'react';

/** A multiple of six, so that the bands of a ledger go on from one part to the next. */
const PART = 42;
const NEAR = '900px 0px';
const SOON = '2400px 0px';

type LongRowsProps<Row> = {
  readonly rows: readonly Row[];
  readonly columns: number;
  /** A guess, until the row was seen once. */
  readonly rowHeight: number;
  /** The same function at each draw: rows that did not change are not drawn again. */
  readonly draw: (row: Row, at: number) => ReactNode;
  /** Reads the next rows; called when the end comes near. Undefined where nothing is to be read now. */
  readonly more: (() => void) | undefined;
};

/**
 * The rows of a table, however many: only those near the window are drawn. The others are one empty row that is as high as
 * they were, so the page keeps its length and rows may have any height.
 */
export function LongRows<Row>({ rows, columns, rowHeight, draw, more }: LongRowsProps<Row>) {
  const parts = Array.from({ length: Math.ceil(rows.length / PART) }, (_, at) => at * PART);
  return (
    <>
      {parts.map((from) => (
        <Part
          key={from}
          rows={rows}
          from={from}
          length={Math.min(PART, rows.length - from)}
          first={rows[from]}
          columns={columns}
          rowHeight={rowHeight}
          draw={draw as (row: unknown, at: number) => ReactNode}
        />
      ))}
      <End more={more} count={rows.length} />
    </>
  );
}

type PartProps = {
  readonly rows: readonly unknown[];
  readonly from: number;
  readonly length: number;
  readonly first: unknown;
  readonly columns: number;
  readonly rowHeight: number;
  readonly draw: (row: unknown, at: number) => ReactNode;
};

const Part = memo(
  DrawnPart,
  (was, is) => was.first === is.first && was.length === is.length && was.draw === is.draw,
);

function DrawnPart({ rows, from, length, columns, rowHeight, draw }: PartProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const height = useRef(length * rowHeight);
  const [isNear, setNear] = useState(from === 0);
  useSight(body, NEAR, (isSeen) => {
    if (!isSeen && body.current) height.current = body.current.offsetHeight;
    setNear(isSeen);
  });
  return (
    <tbody ref={body}>
      {isNear ? (
        rows.slice(from, from + length).map((row, at) => draw(row, from + at))
      ) : (
        <tr style={{ height: height.current }}>
          <td colSpan={columns} />
        </tr>
      )}
    </tbody>
  );
}

function End({ more, count }: { readonly more: (() => void) | undefined; readonly count: number }) {
  const body = useRef<HTMLTableSectionElement>(null);
  // Looked at again after every page and after one that was cancelled, so a window that still shows the end asks again.
  useSight(body, SOON, (isSeen) => isSeen && more?.(), more === undefined ? undefined : count);
  return <tbody ref={body} aria-hidden="true" />;
}

function useSight(
  element: React.RefObject<HTMLElement | null>,
  rootMargin: string,
  onChange: (isSeen: boolean) => void,
  again?: number,
): void {
  const latest = useRef(onChange);
  latest.current = onChange;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` has the element watched again
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver(
      (entries) => latest.current(entries.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, rootMargin, again]);
}
