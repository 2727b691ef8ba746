import { CheckIcon } from '../ui/parts/icons.js';

/** Benefits of a plan, one line each. The seller wrote them. Renders nothing for an empty list. */
export function BenefitList({ benefits }: { benefits: readonly string[] }) {
  if (benefits.length === 0) return null;
  return (
    <ul class="benefits">
      {benefits.map((benefit, index) => (
        // Two benefits can have the same text.
        <li key={index}>
          <CheckIcon />
          <bdi>{benefit}</bdi>
        </li>
      ))}
    </ul>
  );
}
