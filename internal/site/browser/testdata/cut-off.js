(() => {
  const found = [];
  const tell = (box, text) => found.push(`${location.pathname} in ${document.documentElement.lang}: ${box.outerHTML.slice(0, 80)} cuts off ${text}`);
  const pen = document.createElement('canvas').getContext('2d');
  // With text at twice its size, and at its own size.
  for (const size of ['200%', '']) {
    document.documentElement.style.fontSize = size;
    for (const box of document.querySelectorAll('body *')) {
      const style = getComputedStyle(box);
      if (!box.getClientRects().length || box.closest('.unseen') || style.visibility === 'hidden') continue;
      if (size && box.matches('#timezone')) continue; // a menu does not wrap, and some zones have long names
      const mark = getComputedStyle(box, '::after');
      if (box.matches('.fold > summary') && mark.width !== mark.height) tell(box, 'its arrow');
      const room = box.clientWidth - parseFloat(style.paddingInlineStart) - parseFloat(style.paddingInlineEnd);
      const text = box.matches('select') ? box.selectedOptions[0]?.text : box.matches('input') && box.placeholder;
      pen.font = style.font;
      pen.letterSpacing = style.letterSpacing === 'normal' ? '0px' : style.letterSpacing;
      if (box.matches('[type=date], [type=time]')) {
        const { width } = box.getBoundingClientRect();
        box.style.cssText = 'position: absolute; width: max-content; max-width: none; flex: none';
        if (box.getBoundingClientRect().width > width) tell(box, 'its value');
        box.style.cssText = '';
      }
      if (text && pen.measureText(text).width > room - (box.matches('select') && style.appearance !== 'none' ? 19 : 0)) tell(box, text);
      // In a field with direction rtl, only the end of a long address is visible.
      if (box.matches('input[readonly]') && style.direction !== 'ltr') tell(box, 'the beginning of its address');
      const right = box.getBoundingClientRect();
      if (right.left < -1 || right.right > innerWidth + 1) tell(box, box.textContent);
      if (!box.matches('input, select, textarea, .user, .user *') && style.overflowX !== 'visible' && box.scrollWidth > box.clientWidth + 1) tell(box, box.textContent);
    }
  }
  const { now } = Date;
  const lines = (text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  };
  for (const month of document.querySelector('.chips') ? [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] : []) {
    Date.now = () => Date.UTC(2027, month, 20, 12);
    document.getElementById('title').dispatchEvent(new Event('input', { bubbles: true }));
    for (const chip of document.querySelectorAll('.chips button')) if ([...chip.childNodes].some((text) => lines(text) > 1)) tell(chip, 'its line');
  }
  Date.now = now;
  const ways = [...document.querySelectorAll('.calendar a')].map((way) => Math.round(way.getBoundingClientRect().top));
  if (![1, ways.length].includes(new Set(ways).size)) found.push(`a way into a calendar is left alone: ${ways}`);
  return found;
})()
