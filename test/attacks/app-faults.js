// Runs in the page of an app: what keeps somebody from reading or using it, as sentences.

globalThis.faultsOf = async () => {
  await Promise.all(document.getAnimations().map(({ finished }) => finished));
  const shown = (element) => element.getClientRects().length > 0 && !element.closest('.hidden');
  const nameOf = (element) =>
    element.getAttribute('aria-label') ||
    element.getAttribute('title') ||
    element.labels?.[0]?.textContent ||
    element.textContent;

  const nameless = [
    ...document.querySelectorAll('button, input, select, textarea, iframe, progress, summary'),
  ]
    .filter((element) => shown(element) && !nameOf(element)?.trim())
    .map((element) => `no name: ${element.outerHTML.slice(0, 80)}`);

  // Relative luminance and contrast as WCAG 2 has them.
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgbaOf = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const color = rgbaOf(getComputedStyle(one).backgroundColor);
      if (color[3] === 255) return color;
    }
    return [255, 255, 255, 255];
  };
  const contrast = (element) => {
    const values = [rgbaOf(getComputedStyle(element).color), behind(element)].map(luminance);
    return (Math.max(...values) + 0.05) / (Math.min(...values) + 0.05);
  };
  const faint = [...document.querySelectorAll('body *')]
    .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
    .filter(
      (element) => shown(element) && !element.closest('script, style, option') && contrast(element) < 4.5,
    )
    .map((element) => `contrast ${contrast(element).toFixed(2)}: ${element.textContent.trim().slice(0, 40)}`);

  const room = document.documentElement.clientWidth;
  const wide = [...document.querySelectorAll('main *')]
    .filter((element) => shown(element) && !element.closest('.scroller, iframe'))
    .filter((element) => element.getBoundingClientRect().right > room + 1)
    .map((element) => `too wide: ${element.outerHTML.slice(0, 80)}`);

  const small = [...document.querySelectorAll('button, select, input')]
    .filter(
      (element) =>
        shown(element) && element.getBoundingClientRect().height < 24 && element.type !== 'checkbox',
    )
    .map((element) => `small target: ${element.outerHTML.slice(0, 80)}`);

  const headings = document.querySelectorAll('h1').length === 1 ? [] : ['not one h1'];
  const language = document.documentElement.lang ? [] : ['no language'];
  return [...nameless, ...faint, ...wide, ...small, ...headings, ...language];
};
