import { memo, useMemo } from 'react';
import { useText } from '../../i18n/text.ts';
import { State } from '../../ui/state.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import css from './merge.module.css';
import { type Choice, type Conflict, textOf } from './merge-choices.ts';
import { SOURCE_FIELDS } from './use-document.ts';
import { type Piece, piecesOf } from './word-marks.ts';

type MergeConflictProps = {
  readonly conflict: Conflict;
  readonly branch: string;
  readonly into: string;
  readonly choice: Choice | undefined;
  readonly choose: (conflict: Conflict, choice: Choice) => void;
};

const SIDES = ['base', 'ours', 'theirs'] as const;
/** What each is compared with. */
const OTHERS = { base: ['ours', 'theirs'], ours: ['base'], theirs: ['base'] } as const;

/** One place that both branches changed: what it was, what each made of it, or the person's own words. */
export const MergeConflict = memo(({ conflict, branch, into, choice, choose }: MergeConflictProps) => {
  const t = useText();
  const { id, field, line } = conflict;
  const source = SOURCE_FIELDS.find((one) => one === field);
  const label = source ? t(`field.${source}`) : field;
  const place = line === undefined ? label : t('merge.line', { field: label, line });
  const sides = useMemo(() => sidesOf(conflict), [conflict]);
  const captions = { base: t('merge.base'), ours: into, theirs: branch };
  return (
    <li className={css.conflict}>
      <div className={`mono small dim ${css.margin}`} aria-hidden="true">
        {line}
      </div>
      <fieldset>
        <legend>
          <span className="h3">{place}</span>
          <State kind={choice ? 'ok' : 'warn'}>{t(choice ? 'merge.chosen' : 'merge.choose')}</State>
        </legend>
        {sides.map(({ side, pieces }) => (
          <label key={side} className={css.option} data-on={choice?.take === side || undefined}>
            <input
              type="radio"
              name={id}
              checked={choice?.take === side}
              onChange={() => choose(conflict, { take: side })}
            />
            <span className="col gap1">
              {pieces.length === 0 ? (
                <em className="small dim">{t('merge.nothing')}</em>
              ) : (
                <Words pieces={pieces} />
              )}
              <span className="small dim">{captions[side]}</span>
            </span>
          </label>
        ))}
        <label className={css.option} data-on={choice?.take === 'text' || undefined}>
          <input
            type="radio"
            name={id}
            checked={choice?.take === 'text'}
            onChange={() => choose(conflict, { take: 'text', text: textOf(conflict.ours) })}
          />
          <span className="small mid">{t('merge.own')}</span>
        </label>
        {choice?.take === 'text' && (
          <div className={css.own}>
            <TextArea
              aria-label={t('merge.ownAt', { place })}
              value={choice.text ?? ''}
              onChange={({ currentTarget }) => choose(conflict, { take: 'text', text: currentTarget.value })}
            />
          </div>
        )}
      </fieldset>
    </li>
  );
});

/** What each side has at the place, in pieces. To find them takes long, and a person may be typing. */
const sidesOf = (conflict: Conflict) =>
  SIDES.map((side) => {
    const others = OTHERS[side].map((one) => textOf(conflict[one]));
    return { side, pieces: piecesOf(textOf(conflict[side]), others) };
  });

/** A text with what is its own marked. */
function Words({ pieces }: { readonly pieces: readonly Piece[] }) {
  return (
    <span className={`mono ${css.words}`}>
      {pieces.map(({ text: piece, isNew }, at) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no name but their place
        isNew ? <mark key={at}>{piece}</mark> : <span key={at}>{piece}</span>,
      )}
    </span>
  );
}
