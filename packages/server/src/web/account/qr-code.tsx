/** Side of the picture, in CSS pixels. It fits a phone of 320 px. */
const SIDE = 200;

/** QR code as a picture in the page. It stays dark on light in every color scheme, because some readers need that. */
export function QrCode(props: {
  /** Text that describes the code, for screen readers. */
  label: string;
  /** Dark modules by row, with the light border that readers need. */
  rows: readonly (readonly boolean[])[];
}) {
  const { label, rows } = props;
  const size = rows.length;
  return (
    <svg
      class="qr-code"
      role="img"
      aria-label={label}
      width={SIDE}
      height={SIDE}
      viewBox={`0 0 ${size} ${size}`}
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path fill="#000" d={rows.map(rowPath).join('')} />
    </svg>
  );
}

/** Returns the dark modules of a row, each run of them as one rectangle. */
function rowPath(row: readonly boolean[], y: number): string {
  let path = '';
  for (let x = 0; x < row.length; x += 1) {
    if (row[x] !== true) continue;
    const start = x;
    while (row[x + 1] === true) x += 1;
    path += `M${start} ${y}h${x + 1 - start}v1H${start}z`;
  }
  return path;
}
