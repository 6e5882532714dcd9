import type { CDPSession } from 'puppeteer-core';

/**
 * Brings a document to rest, so that a screenshot shows the final state: transitions and animations that end
 * have ended, and endless animations are at their start. Needed again after every change of the emulated
 * device.
 */
export async function freezeMotion(cdp: CDPSession): Promise<void> {
  const { exceptionDetails } = await cdp.send('Runtime.evaluate', { expression: FREEZE });
  if (exceptionDetails) throw new Error(`the page did not come to rest: ${exceptionDetails.text}`);
}

// Taken from prototypes, since an element named `getAnimations` would stand in for the document's own property. In a layer,
// since there an important declaration beats those outside of layers. Inline SVG goes to a time at which what ends has
// ended, and what repeats every second, or every few, begins again.
const FREEZE = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('@layer stallhand-still { *, ::before, ::after { transition: none !important } }');
  Object.getOwnPropertyDescriptor(Document.prototype, 'adoptedStyleSheets').set.call(document, [sheet]);
  for (let round = 0; round < 3; round++) {
    for (const animation of Document.prototype.getAnimations.call(document)) {
      if (!(animation.timeline instanceof DocumentTimeline)) continue;
      if (animation.effect.getComputedTiming().endTime < Infinity) {
        if (animation.playState !== 'finished') animation.finish();
      } else {
        animation.pause();
        animation.currentTime = 0;
      }
    }
  }
  for (const marquee of Document.prototype.querySelectorAll.call(document, 'marquee')) {
    const still = Document.prototype.createElement.call(document, 'div');
    for (const { name, value } of [...marquee.attributes]) still.setAttribute(name, value);
    still.append(...marquee.childNodes);
    marquee.replaceWith(still);
  }
  for (const svg of Document.prototype.querySelectorAll.call(document, 'svg')) {
    if (svg.parentElement?.closest('svg')) continue;
    SVGSVGElement.prototype.pauseAnimations.call(svg);
    SVGSVGElement.prototype.setCurrentTime.call(svg, 3600);
  }
})()`;
