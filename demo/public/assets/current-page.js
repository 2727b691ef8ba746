// Bars that scroll sideways: the link to the current page comes into view. Only the bar scrolls, not the page. The observer also
// reports the width that the link gets by a font or a translation.
const observer = new ResizeObserver((entries) => {
  for (const { target: link } of entries) {
    const bar = link.closest('.sideways');
    bar.scrollLeft += middleOf(link) - middleOf(bar);
  }
});
for (const link of document.querySelectorAll('.sideways [aria-current]')) observer.observe(link);

function middleOf(element) {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
}
