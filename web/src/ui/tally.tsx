type TallyProps = {
  readonly value: number;
  readonly max: number;
  /** What is counted, for people who do not see the ticks. */
  readonly label: string;
  readonly tone?: 'ink' | 'mg' | 'warn';
};

/** A count as ticks, in place of a bar. */
export function Tally({ value, max, label, tone = 'ink' }: TallyProps) {
  const share = max > 0 ? Math.min(100, (value / max) * 100) : 0;
  return (
    <div
      className={`tally ${tone}`}
      role="progressbar"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={0}
      aria-valuemax={max}
    >
      <i style={{ width: `${share}%` }} />
    </div>
  );
}
