import { Membership } from '../../membership';

export default function Page() {
  return (
    <>
      <script src="/latchkey.js" defer />
      <Membership />
    </>
  );
}
