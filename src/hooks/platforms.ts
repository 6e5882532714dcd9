/** The date of the limits below; platforms change theirs without notice. */
export const PLATFORMS_AS_OF = '2026-11-21';

export type Platform = {
  readonly label: string;
  /** Graphemes the platform accepts; a longer hook is rejected. */
  readonly hard: number;
  /** Graphemes it shows before truncating. */
  readonly visible: number;
  /** Longest speaking time in seconds; null where hooks are only read. */
  readonly spokenSeconds: number | null;
};

/** Where a hook is published, and how much of it fits. */
export const PLATFORMS = {
  generic: { label: 'Anywhere', hard: 300, visible: 100, spokenSeconds: 3 },
  youtube: { label: 'YouTube', hard: 100, visible: 60, spokenSeconds: 3 },
  youtube_shorts: { label: 'YouTube Shorts', hard: 100, visible: 40, spokenSeconds: 3 },
  tiktok: { label: 'TikTok', hard: 4000, visible: 100, spokenSeconds: 3 },
  instagram: { label: 'Instagram', hard: 2200, visible: 125, spokenSeconds: null },
  instagram_reels: { label: 'Instagram Reels', hard: 2200, visible: 55, spokenSeconds: 3 },
  facebook: { label: 'Facebook', hard: 63_206, visible: 125, spokenSeconds: null },
  linkedin: { label: 'LinkedIn', hard: 3000, visible: 210, spokenSeconds: null },
  x: { label: 'X', hard: 280, visible: 80, spokenSeconds: null },
  // Email sets no limit, but no client shows a longer subject in full.
  email: { label: 'Email subject', hard: 200, visible: 50, spokenSeconds: null },
  blog: { label: 'Blog headline', hard: 200, visible: 60, spokenSeconds: null },
} as const satisfies Record<string, Platform>;

export type PlatformId = keyof typeof PLATFORMS;

// Object.keys loses the type of the keys.
export const PLATFORM_IDS = Object.keys(PLATFORMS) as [PlatformId, ...PlatformId[]];
