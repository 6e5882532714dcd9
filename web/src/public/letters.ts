/**
 * Fetches the letters that a narrow window did without, for the next page, once the text of this one is on the screen: the page may
 * have loaded before. public.html and public.css read what is kept.
 */
export function fetchLettersOnceShown(): void {
  if (document.documentElement.dataset['letters']) return;
  new PerformanceObserver((paints, observer) => {
    if (paints.getEntriesByName('first-contentful-paint').length === 0) return;
    observer.disconnect();
    fetchLetters();
  }).observe({ type: 'paint', buffered: true });
}

function fetchLetters(): void {
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
