type BarsProps = {
  readonly data: readonly { readonly label: string; readonly value: number }[];
  /** What they show, for people who do not see them. */
  readonly label: string;
};

const STEP = 20;
const HEIGHT = 96;
const EVERY = 5;

/** Counts by day. The figures themselves are in a table beside it. */
export function Bars({ data, label }: BarsProps) {
  const most = Math.max(1, ...data.map(({ value }) => value));
  const width = data.length * STEP;
  return (
    <svg className="bars" viewBox={`0 0 ${width} ${HEIGHT + 18}`} role="img" aria-label={label}>
      {data.map(({ label: day, value }, at) => {
        const height = value === 0 ? 2 : Math.max(3, (value / most) * HEIGHT);
        return (
          <g key={day}>
            <rect
              className={value === 0 ? 'f' : 'b'}
              x={at * STEP + 4}
              y={HEIGHT - height}
              width={STEP - 8}
              height={height}
            />
            {(at === 0 || (at + 1) % EVERY === 0) && (
              <text x={at * STEP + STEP / 2} y={HEIGHT + 14} textAnchor="middle">
                {day}
              </text>
            )}
          </g>
        );
      })}
      <line x1={0} x2={width} y1={HEIGHT} y2={HEIGHT} />
    </svg>
  );
}
