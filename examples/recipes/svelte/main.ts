import { mount } from 'svelte';
import RecipePage from './recipe-page.svelte';

const target = document.querySelector('#root');
if (target) mount(RecipePage, { target });
