const FIRST = (
  'Aaron Abena Adele Agnes Ahmed Aiko Alba Alina Amara Amir Anders Anika Anton Arjun Astrid Aylin Bao Beatriz Bela ' +
  'Bruno Carla Cem Chidi Chloe Claudia Daan Daria Devi Diego Dilan Dmitri Edda Eero Elena Elif Emeka Emil Esra Fatima ' +
  'Felix Fiona Flora Freya Gabriel Gina Greta Hana Hannes Hiro Ida Imani Ines Ingrid Isaac Ivo Jaana Jakob Jana Joao ' +
  'Jonas Juna Kaito Karim Katja Kenji Kira Lale Lars Leila Lena Leo Lina Linh Luca Lucia Magnus Maja Malik Marta Mateo ' +
  'Mei Milan Mina Nadia Nils Noor Nora Olek Omar Oskar Paula Pedro Priya Rafael Rania Rosa Ruben Sana Selma Sora'
).split(' ');

const LAST = (
  'Abbott Acosta Adeyemi Albrecht Almeida Andersen Arslan Bakker Barros Baumann Becker Bergman Bianchi Blom Boateng ' +
  'Bosch Brandt Castro Chen Costa Cruz Dahl Demir Diallo Dubois Eklund Engel Eriksen Farah Ferrari Fischer Fontaine ' +
  'Fujita Garcia Gashi Girard Gomez Haas Haddad Hansen Hartmann Hassan Hayashi Heikkinen Horvat Huber Ibrahim Ito Jansen ' +
  'Jensen Jovanovic Kaya Keller Khan Kim Klein Koch Kovac Kowalski Kraus Kumar Lang Larsen Laurent Lehmann Lopez Lund ' +
  'Maier Marino Martin Mensah Meyer Molina Moreau Mori Nagy Nakamura Navarro Nguyen Nielsen Novak Okafor Olsen Ortega ' +
  'Osei Park Patel Pereira Petrov Popescu Quinn Ramos Reyes Ricci Roux Sahin Santos Sato Schmid Silva Singh Sousa ' +
  'Suzuki Tanaka Torres Tran Vargas Varga Vogel Wagner Walsh Weber Winter Wolf Wong Yilmaz Young Zhang Ziegler Zimmer'
).split(' ');

/** Without a common divisor with the number of names, so that each member gets another one. */
const STEP = 7_919;

/** Returns the name of a member. The first 12,000 members have different names. */
export function busyName(index: number): string {
  const place = (index * STEP) % (FIRST.length * LAST.length);
  return `${FIRST[place % FIRST.length]} ${LAST[Math.floor(place / FIRST.length)]}`;
}
