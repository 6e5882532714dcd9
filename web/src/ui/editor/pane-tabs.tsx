import { useText } from '../../i18n/text.ts';

type PaneTabsProps<Pane extends string> = {
  /** Each pane and what it is called. */
  readonly panes: readonly (readonly [Pane, string])[];
  readonly pane: Pane;
  readonly setPane: (pane: Pane) => void;
};

/** On phones an editor shows one pane at a time. */
export function PaneTabs<Pane extends string>({ panes, pane, setPane }: PaneTabsProps<Pane>) {
  const t = useText();
  return (
    <div className="tabs" role="tablist" aria-label={t('editor.panes')}>
      {panes.map(([one, label]) => (
        <button key={one} type="button" role="tab" aria-selected={pane === one} onClick={() => setPane(one)}>
          {label}
        </button>
      ))}
    </div>
  );
}
