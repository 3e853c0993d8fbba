/** What can be measured of a page's looks: ink on the picture, boxes, contrast of text. */

/** True when the picture has more than a handful of colours and no colour covers nearly all of it. */
export function hasInk(page, png) {
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext('2d');
    context.drawImage(bitmap, 0, 0);
    const pixels = new Uint32Array(context.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer);
    const counts = new Map();
    for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
    return counts.size > 50 && Math.max(...counts.values()) < 0.97 * pixels.length;
  }, png.toString('base64'));
}

/** Pairs of selectors whose boxes share area. */
export async function overlaps(page, selectors) {
  const boxes = await Promise.all(selectors.map((selector) => page.locator(selector).boundingBox()));
  const shared = [];
  for (let a = 0; a < boxes.length; a += 1) {
    for (let b = a + 1; b < boxes.length; b += 1) {
      const wide = Math.min(boxes[a].x + boxes[a].width, boxes[b].x + boxes[b].width) - Math.max(boxes[a].x, boxes[b].x);
      const high = Math.min(boxes[a].y + boxes[a].height, boxes[b].y + boxes[b].height) - Math.max(boxes[a].y, boxes[b].y);
      if (wide > 0.5 && high > 0.5) shared.push(`${selectors[a]} and ${selectors[b]}`);
    }
  }
  return shared;
}

/**
 * Contrast of every visible text by WCAG: `{ text, ratio, wanted }`, wanted being 4.5, or 3 for large text and for
 * controls that are switched off.
 */
export function contrasts(page) {
  return page.evaluate(() => {
    const parse = (colour) => {
      const [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number);
      return { r, g, b, a };
    };
    const blend = (over, under) => ({
      r: over.r * over.a + under.r * (1 - over.a),
      g: over.g * over.a + under.g * (1 - over.a),
      b: over.b * over.a + under.b * (1 - over.a),
      a: 1,
    });
    const luminance = ({ r, g, b }) => {
      const [x, y, z] = [r, g, b].map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const groundOf = (element) => {
      if (!element) return { r: 255, g: 255, b: 255, a: 1 };
      const colour = parse(getComputedStyle(element).backgroundColor);
      return colour.a === 1 ? colour : blend(colour, groundOf(element.parentElement));
    };
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode.textContent.trim();
      const element = walker.currentNode.parentElement;
      if (text === '' || !element.checkVisibility({ visibilityProperty: true }) || element.closest('.hidden, option, noscript')) continue;
      const style = getComputedStyle(element);
      let opacity = 1;
      for (let up = element; up; up = up.parentElement) opacity *= Number(getComputedStyle(up).opacity);
      const ground = groundOf(element);
      const colour = parse(style.color);
      const ink = blend({ ...colour, a: colour.a * opacity }, ground);
      const [light, dark] = [luminance(ink), luminance(ground)].sort((a, b) => b - a);
      const size = parseFloat(style.fontSize);
      const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      found.push({
        text: text.slice(0, 40),
        ratio: Math.round(((light + 0.05) / (dark + 0.05)) * 100) / 100,
        wanted: isLarge || element.closest(':disabled') ? 3 : 4.5,
      });
    }
    return found;
  });
}
