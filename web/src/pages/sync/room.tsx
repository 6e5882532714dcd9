import { getSyncUsage } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useText } from '../../i18n/text.ts';
import { Banner } from '../../ui/banner.tsx';

type Kind = 'stores' | 'sheets';

/** How many the plan allows, and how many there are. */
export function useRoom(kind: Kind) {
  const { data } = useRead(getSyncUsage, {});
  const room = data?.[kind];
  const isFull = room !== undefined && room.limit >= 0 && room.used >= room.limit;
  return { plan: data?.plan, room, isFull };
}

/** Takes the place of the form at the limit of the plan. */
export function FullPlan({ kind }: { readonly kind: Kind }) {
  const t = useText();
  const { plan = '', room } = useRoom(kind);
  return (
    <Banner tone="warn" title={t(`sync.full.${kind}`, { count: room?.limit ?? 0 })}>
      {t('sync.full.next', { plan: planName(plan) })}
    </Banner>
  );
}

/** A plan as the price list writes it: pro_api is Pro API. */
function planName(plan: string): string {
  return plan
    .split('_')
    .map((word) => (word === 'api' ? 'API' : word.charAt(0).toUpperCase() + word.slice(1)))
    .join(' ');
}

/** Such as 1 of 5. Nothing where the plan has no limit. */
export function RoomCaption({ kind }: { readonly kind: Kind }) {
  const t = useText();
  const { room } = useRoom(kind);
  if (!room) return null;
  return (
    <span className="cap push num">
      {room.limit < 0 ? room.used : t('sync.room', { used: room.used, limit: room.limit })}
    </span>
  );
}
