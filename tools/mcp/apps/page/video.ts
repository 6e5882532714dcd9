import { button, type Child, h, notice, show } from './dom.ts';
import { type Host, type Opened, shownId } from './host.ts';
import { start } from './start.ts';
import { bytes, number, percent, t } from './texts.ts';

/** A video: its progress, then its picture, which plays and can be saved. Its bytes come through the host like all else. */

type Video = {
  readonly id: string;
  readonly title: string;
  readonly template: string;
  readonly status: 'pending' | 'rendering' | 'finalizing' | 'completed' | 'failed' | 'canceled';
  readonly progress: number;
  readonly frames: { readonly done: number; readonly total: number };
  readonly eta_s: number | null;
  readonly url: string | null;
  readonly poster_url: string | null;
  readonly error: { readonly message: string } | null;
  readonly warnings: readonly { readonly message: string }[];
  readonly duration: number;
  readonly width: number;
  readonly height: number;
  readonly format: string;
  readonly size_bytes: number | null;
};

const POLL_MS = 1500;
const UNFINISHED: readonly Video['status'][] = ['pending', 'rendering', 'finalizing'];
const PICTURES: readonly string[] = ['gif', 'png', 'webp'];

start(async (host: Host, opened: Opened) => {
  const id = shownId(opened, opened.input['video_id']);
  const read = () => host.read<Video>('get_video', { video_id: id });
  let video = await read();
  let picture: Child = false;
  let isPlaying = false;

  const follow = async () => {
    while (UNFINISHED.includes(video.status)) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      video = await read();
      draw();
    }
    await showPoster();
  };
  const showPoster = async () => {
    if (video.poster_url === null) return;
    const poster = await host.file(`video://${id}/poster`);
    // Play may have been pressed in the meantime.
    if (isPlaying) return;
    picture = h('img', { src: poster, alt: t('poster_of', { title: video.title }) });
    draw();
  };
  const play = async () => {
    const file = await host.file(`video://${id}/file`);
    picture = PICTURES.includes(video.format)
      ? h('img', { src: file, alt: video.title })
      : h('video', {
          src: file,
          controls: true,
          autoplay: true,
          playsinline: true,
          'aria-label': video.title,
        });
    isPlaying = true;
    draw();
  };
  const retry = async () => {
    await host.run('retry_video', { video_id: id });
    video = await read();
    draw();
    beginFollowing();
  };
  let lost = '';
  const beginFollowing = () => {
    follow().catch((error: unknown) => {
      lost = error instanceof Error ? error.message : String(error);
      draw();
    });
  };

  function draw(): void {
    const { title, template, width, height, duration, format, size_bytes: size, status } = video;
    const facts = [
      template,
      `${width} × ${height}`,
      `${number(duration)} s`,
      format,
      ...(size === null ? [] : [bytes(size)]),
    ];
    show(
      h('header', {}, h('h1', {}, title), h('p', { class: 'small mono' }, facts.join(' · '))),
      h('div', { class: 'stage' }, picture || h('p', { class: 'empty' }, t(status))),
      UNFINISHED.includes(status) && progressOf(video),
      status === 'failed' && notice('bad', t('failed'), h('p', {}, video.error?.message ?? '')),
      lost !== '' && notice('warn', t('not_followed'), lost),
      video.warnings.length > 0 &&
        notice(
          'warn',
          t('findings'),
          h(
            'ul',
            {},
            video.warnings.map(({ message }) => h('li', {}, message)),
          ),
        ),
      h(
        'div',
        { class: 'bar' },
        status === 'completed' && !isPlaying && button(t('play'), play, { kind: 'next' }),
        status === 'completed' &&
          video.url !== null &&
          button(t('download'), () => host.save({ uri: `video://${id}/file`, url: video.url ?? '' })),
        status === 'failed' && button(t('try_again'), retry, { kind: 'next' }),
      ),
    );
  }
  beginFollowing();
  return draw;
});

function progressOf({ progress, frames, eta_s: eta, status }: Video): HTMLElement {
  const steps = [
    h('span', {}, `${t(status)}, ${percent(progress)}`),
    h(
      'span',
      { class: 'small' },
      [
        frames.total > 0 ? t('frames', frames) : '',
        eta === null ? '' : t('seconds_left', { s: Math.ceil(eta) }),
      ]
        .filter((part) => part !== '')
        .join(' · '),
    ),
  ];
  return h(
    'div',
    {},
    h('progress', { max: 100, value: progress, 'aria-label': t('progress') }),
    h('p', { class: 'steps', role: 'status' }, steps),
  );
}
