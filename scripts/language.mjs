// Checks that docstrings, comments and identifiers are in plain language.
// `node scripts/language.mjs [folders]` lists the violations and exits with 1 if there are any.
import { checkLanguage } from './language/rules.mjs';
import { listSourceFiles, parseSourceFile } from './source-files.mjs';

const violations = listSourceFiles(process.argv.slice(2)).flatMap((file) =>
  checkLanguage(parseSourceFile(file)),
);
for (const { file, line, message } of violations) console.log(`${file}:${line}: ${message}`);
console.log(
  `${violations.length} ${violations.length === 1 ? 'violation' : 'violations'} of the language rules`,
);
process.exit(violations.length > 0 ? 1 : 0);
