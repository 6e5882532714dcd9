/** Fetches the letters that a narrow window did without, for the next page. public.html and public.css read what is kept. */
export function fetchLetters(): void {
  if (document.documentElement.dataset['letters']) return;
  const skipped = [...document.querySelectorAll<HTMLLinkElement>('link[as=font]')].filter(
    ({ media }) => !matchMedia(media).matches,
  );
  for (const { href } of skipped)
    document.head.append(
      Object.assign(document.createElement('link'), { rel: 'prefetch', as: 'font', crossOrigin: '', href }),
    );
  // Of this visit: on another day the browser may have dropped the files.
  sessionStorage.setItem('letters', 'here');
}
