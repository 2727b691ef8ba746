// Imports the members from before into the membership directory of a site, from the CSV file of the seller area.
import { createReadStream } from 'node:fs';
import process from 'node:process';
import { membershipRowsFromCsv, sqliteDirectory } from '@latchkey/express';

const { DIRECTORY = 'memberships.sqlite' } = process.env;
const files = process.argv.slice(2);
if (files.length === 0) {
  process.stderr.write('Name the files: npm run example:import-members -- members.csv buyers.csv\n');
  process.exit(1);
}

// The same directory as in latchkey({ directory }). The site can run meanwhile.
const directory = sqliteDirectory(DIRECTORY);
try {
  for (const file of files) {
    // The column exported_at says how old the plans are, so the import never replaces a newer one.
    const { imported } = await directory.import(membershipRowsFromCsv(createReadStream(file)));
    process.stdout.write(`${file}: ${imported} memberships\n`);
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
} finally {
  await directory.close();
}
